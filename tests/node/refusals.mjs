// One session that is refused for want of a scope and for calling too often, and goes on.
// usage: node refusals.mjs v1|v2 '{"url": ..., "token": ..., "calls": 3}'
const [generation, target] = process.argv.slice(2);
const where = JSON.parse(target);
const old = generation === "v1";
const { Client } = await import(old ? "@modelcontextprotocol/sdk/client/index.js" : "@modelcontextprotocol/client");
const { StreamableHTTPClientTransport } = await import(
  old ? "@modelcontextprotocol/sdk/client/streamableHttp.js" : "@modelcontextprotocol/client"
);
const modern = { versionNegotiation: { mode: { pin: "2026-07-28" } } };
const client = new Client({ name: "refused", version: "1" }, old ? {} : modern);
const headers = { Authorization: `Bearer ${where.token}` };
await client.connect(new StreamableHTTPClientTransport(new URL(where.url), { requestInit: { headers } }));

const search = { name: "search_knowledge", arguments: { query: "anything" } };
const { tools } = await client.listTools();
const unscoped = await client.callTool({ name: "store_knowledge", arguments: { title: "t", body: "b" } });
const answers = [];
for (let number = 0; number < where.calls; number++) answers.push(await client.callTool(search));
const { tools: again } = await client.listTools();
await client.close();
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), unscoped, answers, again: again.length }));
