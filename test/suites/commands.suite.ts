import { loadSuite } from './load-suite';

loadSuite('commands');
