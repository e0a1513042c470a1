import { readInfo } from '../shared/info';

/** What the server wrote into the page. */
export const info = readInfo();
