import { loadSuite } from './load-suite';

loadSuite('permissions');
