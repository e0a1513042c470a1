import { loadSuite } from './load-suite';

loadSuite('integration');
