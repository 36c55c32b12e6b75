"""The least that an MCP server can do: one tool that answers with what it was given.

python -m benchmarks.latency.echo PORT
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

TOOL = "echo"
Context = ServerRequestContext[Any, Any]


async def _tools(
    _context: Context, _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    return types.ListToolsResult(tools=[types.Tool(name=TOOL, input_schema=schema)])


async def _echo(_context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    said = str((params.arguments or {}).get("text"))
    return types.CallToolResult(content=[types.TextContent(type="text", text=said)])


def app() -> Starlette:
    """The transport as the product has it: streamable HTTP with sessions."""
    server = Server[Any](TOOL, on_list_tools=_tools, on_call_tool=_echo)
    sessions = StreamableHTTPSessionManager(app=server, stateless=False)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with sessions.run():
            yield

    routes = [
        Route("/mcp", StreamableHTTPASGIApp(sessions)),
        Route("/healthz", lambda _request: PlainTextResponse("ok")),
    ]
    return Starlette(routes=routes, lifespan=lifespan)


if __name__ == "__main__":
    uvicorn.run(app(), port=int(sys.argv[1]), log_level="warning")
