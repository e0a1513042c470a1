import { loadSuite } from './load-suite';

loadSuite('codes');
