import { loadSuite } from './load-suite';

loadSuite('hosts');
