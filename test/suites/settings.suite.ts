import { loadSuite } from './load-suite';

loadSuite('settings');
