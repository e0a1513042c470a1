import { loadSuite } from './load-suite';

loadSuite('servers');
