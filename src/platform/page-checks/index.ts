/** What the service and the pages both check. Pages import nothing else of the service. */
export { checkCustomCss } from './custom-css';
export { checkWebAddress } from './web-address';
