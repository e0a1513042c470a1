// Checks the translations in i18n/: all languages have the same keys and placeholders, no key is missing or unused, and
// no user-facing text is hard-coded.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { calmEnd } from './calm-end.mjs';
import { literalFaults } from './texts/literals.mjs';
import { pageFaults } from './texts/page-keys.mjs';
import { serverFaults } from './texts/server-keys.mjs';
import { sourcesUnder } from './texts/sources.mjs';
import { differences, textsOf } from './texts/text-files.mjs';

const root = resolve(process.argv[2] ?? '.');
const languages = ['en', 'zh'];
/** The sections that only the pages use, with the folder that uses each. */
const entries = { auth: 'web/src/auth', console: 'web/src/console' };

const [english, chinese] = languages.map((language) => textsOf(root, language));
const shared = [...sourcesUnder(root, 'web/src/shared'), ...sourcesUnder(root, 'web/src/api')];
const pages = Object.entries(entries).map(([section, folder]) => [section, sourcesUnder(root, folder)]);
const rest = new Map([...english].filter(([section]) => !(section in entries)));

/** Sources of packages that bring texts of their own. Their types check the keys. */
const packages = ['packages/react'].filter((folder) => existsSync(resolve(root, folder)));

const faults = [
  ...differences(english, chinese, languages),
  ...packages.flatMap((folder) => {
    const [one, other] = languages.map((language) => textsOf(resolve(root, folder), language));
    return [...differences(one, other, languages), ...literalFaults(sourcesUnder(root, `${folder}/src`))];
  }),
  ...pages.flatMap(([section, sources]) =>
    pageFaults([...sources, ...shared], section, english.get(section) ?? new Map()),
  ),
  ...serverFaults(sourcesUnder(root, 'src'), rest),
  ...literalFaults([...shared, ...pages.flatMap(([, sources]) => sources)]),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
await calmEnd();
