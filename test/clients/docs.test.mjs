import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const docs = readFileSync(resolve(import.meta.dirname, '../../docs/clients.md'), 'utf8');

/** Titles that differ from the name of the test file. */
const TITLES = { 'auth-express': 'Auth.js', 'mod-auth-openidc': 'mod_auth_openidc' };
/** Tests that configure no client, or one that a guide shows. */
const WITHOUT_CLIENT = ['docs', 'openapi', 'resource-server', 'gateways', 'readme-nest', 'react-guide'];
/** Fields that the table names for each client, because they depend on the library. */
const FIELDS = [
  'is_public',
  'require_pkce',
  'id_token_claims',
  'id_token_signed_response_alg',
  'backchannel_logout_uri',
  'post_logout_redirect_uris',
];
/** The names of the Apache example. JavaScript examples use the variables of the tests. */
const PLACEHOLDERS = { issuer: 'ISSUER', clientId: 'CLIENT_ID', clientSecret: 'CLIENT_SECRET', app: 'APP' };

/** The blocks between the marks, without their common indentation. */
function blocksOf(text, mark) {
  const marked = new RegExp(`^( *)// <${mark}>\\n([\\s\\S]*?)\\n *// </${mark}>$`, 'gm');
  return [...text.matchAll(marked)].map(([, indent, block]) => block.replace(new RegExp(`^${indent}`, 'gm'), ''));
}

/** The lines of the Apache configuration, which the test writes as a template literal. */
function apacheLines(text) {
  const [, template] = /const configuration = `\n([\s\S]*?)\n`;/.exec(text) ?? [];
  return template?.replace(/\$\{(\w+)\}/g, (_, name) => PLACEHOLDERS[name] ?? `unknown placeholder ${name}`);
}

const sectionOf = (title) => docs.split(/^##+ /m).find((section) => section.startsWith(`${title}\n`)) ?? '';
const rowOf = (title) => docs.split('\n').find((line) => line.startsWith(`| [${title}`)) ?? '';
const named = (text) => FIELDS.filter((field) => new RegExp(`\\b${field}\\b`).test(text));

for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.mjs'))) {
  const name = file.replace('.test.mjs', '');
  if (WITHOUT_CLIENT.includes(name)) continue;
  const text = readFileSync(join(import.meta.dirname, file), 'utf8');
  const title = TITLES[name] ?? name;

  test(`docs/clients.md contains the registration and the configuration of ${file}`, () => {
    const registrations = blocksOf(text, 'registration');
    const configurations = blocksOf(text, 'configuration');
    assert.ok(registrations.length > 0, 'The test marks no registration');
    assert.ok(configurations.length > 0, 'The test marks no configuration');
    const apache = apacheLines(text);
    const section = sectionOf(title);
    for (const block of registrations) assert.ok(section.includes(`\`\`\`js\n${block}\n\`\`\``), block);
    if (apache !== undefined) assert.ok(section.includes(`\`\`\`apache\n${apache}\n\`\`\``), apache);
    else for (const block of configurations) assert.ok(section.includes(`\`\`\`js\n${block}\n\`\`\``), block);
  });

  test(`docs/clients.md names the fields of ${file} in its table`, () => {
    const [, , cell = ''] = rowOf(title).split(' | ').join('|').split('|');
    assert.deepEqual(named(cell), named(blocksOf(text, 'registration').join('\n')));
  });
}
