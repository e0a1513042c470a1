import { DiagnosticsDto, DiagnosticsService } from '../operations/diagnostics';
import { fallbackLanguage, isLanguage, languages } from '../platform/i18n';
import { Command, CommandError, Invocation } from './command';
import { choiceOption, textOf } from './option';
import { alignedLines, print } from './output';

function linesOf(invocation: Invocation, found: DiagnosticsDto): string[] {
  const { checks, cookies, issuer, redirect_uris: redirects } = found;
  const flags = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  return [
    ...alignedLines(
      invocation,
      checks.map(({ state, title, detail }) => [state, title, detail]),
    ),
    `cookies\t${flags.join(' ')}`,
    `issuer\t${issuer}`,
    ...redirects.map(({ provider, uri }) => `redirect\t${provider}\t${uri}`),
  ];
}

const doctor: Command = {
  name: 'doctor',
  summary: 'Check the deployment of the service. Fails if a check finds an error',
  example: 'doctor --lang en',
  printsData: true,
  options: { lang: choiceOption(languages, `The language of the checks. Default: ${fallbackLanguage}`) },
  needsKeys: false,
  async run(invocation) {
    const lang = textOf(invocation, 'lang');
    const language = isLanguage(lang) ? lang : fallbackLanguage;
    const found = await invocation.service.get(DiagnosticsService).examine(undefined, language);
    print(invocation, found, linesOf(invocation, found));
    const wrong = found.checks.filter(({ state }) => state === 'error').length;
    if (wrong > 0) throw new CommandError(`${wrong} checks failed`);
  },
};

export const doctorCommands: readonly Command[] = [doctor];
