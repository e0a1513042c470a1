import { loadSuite } from './load-suite';

loadSuite('service');
