/* Another service with the guard of castellan/guard, with two routes of guarded.mjs. */
import { createHost, listen, require } from '../lib/host-app.mjs';

const guard = require('./dist/service-guard/client/index.js');

const { CASTELLAN_URL: url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env;
const app = await createHost({
  apiController: guard.ApiController,
  routes: { open: guard.Public(), permission: guard.RequirePermission('profile:read') },
  imports: [guard.RemoteIdentityModule.forRoot({ url, clientId, clientSecret })],
});
await listen(app);
