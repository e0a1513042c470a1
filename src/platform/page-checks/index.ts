/** Rules that the service and the pages both follow. Pages import nothing else of the service. */
export { closeGaps } from './close-gaps';
export { checkCustomCss } from './custom-css';
export { checkWebAddress } from './web-address';
