import { loadSuite } from './load-suite';

loadSuite('embedded_accounts');
