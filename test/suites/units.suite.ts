import { loadSuite } from './load-suite';

loadSuite('units');
