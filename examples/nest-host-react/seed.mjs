// Creates an organization and makes the user ann a manager there. It can run again: what exists stays as it is.
import { createCastellanClient, fetchWithCookies } from 'castellan-client';

const { CASTELLAN_URL: baseUrl = 'http://127.0.0.1:4500', ADMIN_PASSWORD: password } = process.env;
if (!password) {
  console.error('Set ADMIN_PASSWORD to the password of the administrator.');
  process.exit(1);
}

const castellan = createCastellanClient({ baseUrl, fetch: fetchWithCookies() });

/** The body of a successful answer. */
function bodyOf({ data, error }) {
  if (error) throw new Error(error.detail ?? error.title);
  return data;
}

async function findOrCreate(slug, name) {
  const { items } = bodyOf(await castellan.GET('/api/organization', { params: { query: { keyword: slug } } }));
  const known = items.find((organization) => organization.slug === slug);
  return known ?? bodyOf(await castellan.POST('/api/organization', { body: { slug, name } }));
}

async function findUser(username) {
  const { items } = bodyOf(await castellan.GET('/api/user', { params: { query: { keyword: username } } }));
  return items.find((user) => user.username === username);
}

bodyOf(await castellan.POST('/api/auth/login', { body: { type: 'password', username: 'admin', password } }));
const organization = await findOrCreate('acme', 'Acme Ltd');
const ann = await findUser('ann');
if (!ann) {
  console.error('Create the account ann on the page first.');
  process.exit(1);
}
const { items: roles } = bodyOf(await castellan.GET('/api/role', { params: { query: { scope: 'shop' } } }));
const manager = roles.find(({ name }) => name === 'manager');
if (!manager) {
  console.error('Start the host first: it declares the role manager.');
  process.exit(1);
}
// A member who is added again keeps present roles.
bodyOf(
  await castellan.POST('/api/organization/{id}/members', {
    params: { path: { id: organization.id } },
    body: { user_id: ann.id, role_ids: [manager.id] },
  }),
);
console.log(`ann is a manager of ${organization.name}: ${organization.id}`);
