/* A host application that embeds the service, with three routes: public, login required, permission required. */
import { createHost, listen, require } from '../lib/host-app.mjs';

const castellan = require('./dist/index.js');

const { read } = castellan.definePermissions({ read: 'profile:read' });
const app = await createHost({
  apiController: castellan.ApiController,
  routes: {
    open: castellan.Public(),
    login: castellan.Authenticated(),
    permission: castellan.RequirePermission(read),
  },
  imports: [castellan.IdentityModule.forRoot({})],
  options: { bodyParser: true },
});
castellan.installHttp(app);
await listen(app);
