// Checks the translations in i18n/: all languages have the same keys and placeholders, no key is missing or unused, no
// user-facing text is hard-coded, and the wording follows the rules.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { calmEnd } from './calm-end.mjs';
import { areaFaults, FRAME, homesOf, readAreas } from './texts/areas.mjs';
import { literalFaults } from './texts/literals.mjs';
import { unusedFaults, usesOf } from './texts/page-keys.mjs';
import { serverFaults } from './texts/server-keys.mjs';
import { sourcesUnder } from './texts/sources.mjs';
import { differences, textsOf } from './texts/text-files.mjs';
import { wordingFaults } from './texts/wording.mjs';

const root = resolve(process.argv[2] ?? '.');
const languages = ['en', 'zh'];
/** The sections that only pages use, with the folders of the pages and of what they share with some others. */
const entries = {
  auth: ['web/src/auth', 'web/src/ui-basic'],
  account: ['web/src/account', 'web/src/ui-basic', 'web/src/session'],
  console: ['web/src/console', 'web/src/session'],
};

const [english, chinese] = languages.map((language) => textsOf(root, language));
const shared = [...sourcesUnder(root, 'web/src/shared'), ...sourcesUnder(root, 'web/src/api')];
const isThere = (folder) => existsSync(resolve(root, folder));
const sourcesOf = (folders) => folders.filter(isThere).flatMap((folder) => sourcesUnder(root, folder));
const pages = Object.entries(entries).map(([entry, folders]) => [entry, sourcesOf(folders)]);

/** The entry that reads a section: its own, or one of its areas such as `console_users`. */
const entryOf = (section) => Object.keys(entries).find((entry) => section === entry || section.startsWith(`${entry}_`));
const rest = new Map([...english].filter(([section]) => entryOf(section) === undefined));

/** The faults between an entry's sources and its texts. */
async function entryFaults(entry, sources) {
  const own = [...english].filter(([section]) => entryOf(section) === entry);
  const sections = new Map(own.flatMap(([section, texts]) => [...texts.keys()].map((key) => [key, section])));
  const twice = own.flatMap(([section, texts]) =>
    [...texts.keys()]
      .filter((key) => sections.get(key) !== section)
      .map((key) => `${section}.json: ${key} is also in ${sections.get(key)}.json`),
  );
  const all = [...sources, ...shared];
  const { used, faults } = usesOf(all, entry, new Map(own.flatMap(([, texts]) => [...texts])));
  const areas = entry === FRAME ? areaFaults(sections, homesOf(await readAreas(root, all), used)) : [];
  return [...faults, ...unusedFaults(sections, used), ...twice, ...areas];
}

/** Sources of packages that bring texts of their own. Their types check the keys. */
const packages = ['packages/react'].filter((folder) => existsSync(resolve(root, folder)));

const faults = [
  ...differences(english, chinese, languages),
  ...wordingFaults(english, chinese),
  ...packages.flatMap((folder) => {
    const [one, other] = languages.map((language) => textsOf(resolve(root, folder), language));
    return [
      ...differences(one, other, languages),
      ...wordingFaults(one, other),
      ...literalFaults(sourcesUnder(root, `${folder}/src`)),
    ];
  }),
  ...(await Promise.all(pages.map(([entry, sources]) => entryFaults(entry, sources)))).flat(),
  ...serverFaults(sourcesUnder(root, 'src'), rest),
  // Entries share sources.
  ...new Set(literalFaults([...shared, ...pages.flatMap(([, sources]) => sources)])),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
await calmEnd();
