/* A host application that embeds the service, with four routes: public, login required, permission required, also within an organization. */
import { createHost, listen, require } from '../lib/host-app.mjs';

const castellan = require('./dist/index.js');
const { applyDecorators } = require('@nestjs/common');

const { read, roles } = castellan.definePermissions({ read: 'profile:read', roles: 'role:read' });
const app = await createHost({
  apiController: castellan.ApiController,
  routes: {
    open: castellan.Public(),
    login: castellan.Authenticated(),
    permission: castellan.RequirePermission(read),
    organization: applyDecorators(castellan.RequirePermission(roles), castellan.InOrganization()),
  },
  imports: [castellan.IdentityModule.forRoot({})],
  options: { bodyParser: true },
});
castellan.installHttp(app);
await listen(app);
