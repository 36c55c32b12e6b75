// One client's journey: connect, list, store a note, find it by meaning, read it whole.
// usage: node journey.mjs v1|v2 '{"url": ..., "token": ...}' or '{"command": ..., "args": [...], "env": {...}}'
const QUERY = "how do we keep shoppers from seeing old prices";
const NOTE = {
  title: "Cache invalidation",
  body: "Purge the CDN cache as soon as the catalogue changes, or customers get stale product costs.",
  tags: ["caching"],
};
const [generation, target] = process.argv.slice(2);
const where = JSON.parse(target);

async function open(name, info, options) {
  const { Client } = await import(name === "v1" ? "@modelcontextprotocol/sdk/client/index.js" : "@modelcontextprotocol/client");
  const client = new Client(info, options);
  await client.connect(await transport(name));
  return client;
}

async function transport(name) {
  const old = name === "v1";
  if (where.url) {
    const { StreamableHTTPClientTransport } = await import(
      old ? "@modelcontextprotocol/sdk/client/streamableHttp.js" : "@modelcontextprotocol/client"
    );
    const headers = where.token ? { Authorization: `Bearer ${where.token}` } : {};
    return new StreamableHTTPClientTransport(new URL(where.url), { requestInit: { headers } });
  }
  const { StdioClientTransport } = await import(
    old ? "@modelcontextprotocol/sdk/client/stdio.js" : "@modelcontextprotocol/client/stdio"
  );
  return new StdioClientTransport({ ...where, stderr: "inherit" });
}

async function found(client, id) {
  const until = Date.now() + 120_000;
  for (;;) {
    const answer = await client.callTool({ name: "search_knowledge", arguments: { query: QUERY } });
    const hit = answer.structuredContent.hits.find((one) => one.id === id);
    if (hit || Date.now() > until) return hit ?? null;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const modern = { versionNegotiation: { mode: { pin: "2026-07-28" } } };
const client = await open(generation, { name: `typescript-${generation}`, version: "1" }, generation === "v2" ? modern : {});
const { tools } = await client.listTools();
const stored = await client.callTool({ name: "store_knowledge", arguments: NOTE });
const { id } = stored.structuredContent;
const hit = await found(client, id);
const { contents } = await client.readResource({ uri: `commonplace://knowledge/${id}` });
const server = client.getServerVersion();
await client.close();
console.log(JSON.stringify({ server, tools: tools.map((tool) => tool.name), stored, hit, entry: JSON.parse(contents[0].text) }));
