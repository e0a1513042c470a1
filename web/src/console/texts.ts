import { PageTexts } from '../shared/language';
import { areaOf } from './text-areas';

const FRAME = 'console';

/** Texts of the frame, and of each area beside them. */
const files = import.meta.glob<{ default: object }>('../../../i18n/*/console*.json');
const areas = Object.keys(files).flatMap((file) => /\/en\/(console_\w+)\.json$/.exec(file)?.[1] ?? []);

export const texts = new PageTexts(
  async (section, language) => {
    const load = files[`../../../i18n/${language}/${section}.json`];
    if (!load) throw new Error('The section has no texts');
    return load();
  },
  [FRAME, ...areas],
);

/** Loads the texts of all pages. */
export const openTexts = (): Promise<void> => texts.open(FRAME);

/**
 * Loads the texts of a page's area, if it has any.
 *
 * @param path as in the router.
 */
export async function openTextsOf(path: string): Promise<void> {
  const section = `${FRAME}_${areaOf(path)}`;
  if (areas.includes(section)) await texts.open(section);
}
