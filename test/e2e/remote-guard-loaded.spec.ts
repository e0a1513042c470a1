import { execFileSync } from 'node:child_process';
import { buildService } from '../support/service/service-process';

/** Lists what a process has loaded, as packages and as files of this one. */
const LIST = `
  require('reflect-metadata');
  require(process.argv[1]);
  const packageOf = (path) => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(path)?.[1];
  console.log(JSON.stringify([...new Set(Object.keys(require.cache).map((path) => packageOf(path) ?? path))]));
`;
/** What Nest itself loads, and two small packages of the guard. */
const OWN = ['lru-cache', 'cookie'];

describe('castellan/guard', () => {
  it('loads neither database nor server', () => {
    const build = buildService();
    try {
      const listed = (entry: string): string[] =>
        JSON.parse(execFileSync(process.execPath, ['-e', LIST, entry], { encoding: 'utf8' })) as string[];
      const nest = new Set([...listed('@nestjs/common'), ...listed('@nestjs/core')]);
      const loaded = listed(`${build.folder}/dist/service-guard/client/index.js`);
      const packages = loaded.filter((name) => !name.startsWith('/') && !nest.has(name));
      expect(packages.sort()).toEqual([...OWN].sort());
      expect(
        loaded.filter((path) => path.startsWith('/') && !path.includes('/dist/service-guard/client/')).length,
      ).toBeLessThan(45);
    } finally {
      build.remove();
    }
  });
});
