import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

/** Writes a Keycloak realm export with this many users. */
export async function writeRealm(file, users) {
  const out = createWriteStream(file);
  const secretData = JSON.stringify({
    value: randomBytes(64).toString('base64'),
    salt: randomBytes(16).toString('base64'),
  });
  const credentialData = JSON.stringify({
    hashIterations: 210_000,
    algorithm: 'pbkdf2-sha512',
    additionalParameters: {},
  });
  out.write('{"realm":"bench","users":[');
  for (let n = 0; n < users; n++) {
    const user = {
      id: `bench-${n}`,
      username: `bench_${n}`,
      email: `bench_${n}@example.com`,
      emailVerified: true,
      enabled: true,
      firstName: 'Ben',
      lastName: `Ch ${n}`,
      credentials: [{ type: 'password', secretData, credentialData }],
      realmRoles: ['default-roles-bench'],
    };
    if (!out.write(`${n > 0 ? ',' : ''}${JSON.stringify(user)}`)) await once(out, 'drain');
  }
  out.end(']}');
  await once(out, 'close');
}
