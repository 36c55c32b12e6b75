// What the official client finds where there is no OAuth: nothing, and it says so in words.
// usage: node discovery.mjs '{"url": ...}'
import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  registerClient,
} from "@modelcontextprotocol/sdk/client/auth.js";

const { url } = JSON.parse(process.argv[2]);
const said = async (promise) => promise.then((found) => found ?? null, (error) => String(error));
const clientMetadata = { redirect_uris: ["http://localhost:1/callback"], client_name: "probe" };
console.log(
  JSON.stringify({
    resource: await said(discoverOAuthProtectedResourceMetadata(url)),
    issuer: await said(discoverAuthorizationServerMetadata(new URL("/", url))),
    registered: await said(registerClient(new URL("/", url), { clientMetadata })),
  }),
);
