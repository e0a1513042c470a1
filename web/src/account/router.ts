import type { ComponentType } from 'react';
import { dropUnsaved, hasUnsaved, keepUnsaved } from '../session/unsaved';
import { ask } from './dialogs';
import { pages } from './pages';
import { Failed } from './components/failed';
import { NotFound } from './components/not-found';
import { isLoading, shown, type Shown } from './shown';
import { texts } from './texts';

async function pageAt(path: string): Promise<ComponentType> {
  try {
    return (await pages[path]?.()) ?? NotFound;
  } catch {
    // An update of the service has removed the file, or the service cannot be reached.
    return Failed;
  }
}

/** Number of the last navigation. Earlier ones that still load are outdated. */
let turn = 0;

/** @param commit changes the address, once the page can be shown. */
async function show(path: string, by: Shown['by'], commit: () => void): Promise<void> {
  const own = (turn += 1);
  isLoading.set(true);
  const Page = await pageAt(path);
  if (own !== turn) return;
  commit();
  shown.set({ path, Page, by });
  isLoading.set(false);
}

/** Place of the page in the history of this tab. Compared with the next one, it gives the steps of Back or Forward. */
let place = 0;

const placeIn = (state: unknown): number | undefined =>
  typeof state === 'object' && state !== null && 'place' in state ? Number(state.place) : undefined;

function remember(path: string): void {
  place += 1;
  history.pushState({ place }, '', path);
}

let isAsking = false;

/** While the user is asked, further steps do not leave the page. */
async function askToLeave(): Promise<boolean> {
  if (isAsking) return false;
  isAsking = true;
  const { t } = texts.i18n;
  const leaves = await ask({ title: t('leave.title'), text: t('leave.text'), confirm: t('leave.confirm') });
  isAsking = false;
  return leaves;
}

/** Keeps the current page. Another one that still loads is outdated. */
function stay(): void {
  turn += 1;
  isLoading.set(false);
}

/** Goes to a page, and asks first if input would be lost. */
async function go({ href, pathname, search }: URL): Promise<void> {
  if (href === location.href) {
    // After a step in the history, the page of the address may still load.
    if (shown.value?.path === pathname) stay();
    return;
  }
  if (hasUnsaved() && !(await askToLeave())) return;
  if (pages[pathname] === undefined) {
    dropUnsaved();
    location.assign(href);
  } else {
    await show(pathname, 'link', () => {
      remember(pathname + search);
    });
  }
}

/** Goes to the page of a step that the user must take first. */
export async function goInstead(path: string): Promise<void> {
  await show(path, 'link', () => {
    history.replaceState({ place }, '', path);
  });
}

/** A click that the browser would follow in this tab. */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented }: MouseEvent): boolean =>
  button === 0 && ![metaKey, ctrlKey, shiftKey, altKey, defaultPrevented].includes(true);

/** The address of the page that a click opens, if any. Links in dialogs lead away without a question. */
function targetOf(event: MouseEvent): URL | undefined {
  if (!isPlain(event) || !(event.target instanceof Element)) return undefined;
  const link = event.target.closest<HTMLAnchorElement>('a[href]');
  if (!link || link.target !== '' || link.closest('dialog')) return undefined;
  const url = new URL(link.href);
  return url.origin === location.origin ? url : undefined;
}

function onClick(event: MouseEvent): void {
  const url = targetOf(event);
  if (!url) return;
  event.preventDefault();
  void go(url);
}

/** What the next change of the history is, if this module caused it. */
let caused: 'undone' | 'allowed' | undefined;

/** The browser has changed the address already, so a question needs a step back to the page with the input. */
async function askOnHistory(steps: number): Promise<void> {
  caused = 'undone';
  history.go(-steps);
  if (!(await askToLeave())) return;
  caused = 'allowed';
  // The entry may be of a document that the browser has discarded.
  dropUnsaved();
  history.go(steps);
}

function onHistory({ state }: PopStateEvent): void {
  const cause = caused;
  caused = undefined;
  keepUnsaved();
  if (cause === 'undone') return;
  const next = placeIn(state) ?? 0;
  const steps = next - place;
  if (cause !== 'allowed' && steps !== 0 && hasUnsaved()) {
    void askOnHistory(steps);
    return;
  }
  place = next;
  void show(location.pathname, 'history', () => undefined);
}

/** Shows the page of the address, and follows links and the history from then on. */
export async function startRouter(): Promise<void> {
  place = placeIn(history.state) ?? 0;
  const { pathname, search, hash } = location;
  const path = pathname.replace(/\/$/, '');
  history.replaceState({ place }, '', path + search + hash);
  document.addEventListener('click', onClick);
  addEventListener('popstate', onHistory);
  await show(path, 'load', () => undefined);
}
