jest.mock('castellan-client', () => jest.requireActual<object>('../../client/src/index'), { virtual: true });
jest.mock('react', () => jest.requireActual<object>('react-18'));
jest.mock('react/jsx-runtime', () => jest.requireActual<object>('react-18/jsx-runtime'));
jest.mock('react-dom/server', () => jest.requireActual<object>('react-dom-18/server'));
import { testRendering } from './rendering-cases.spec';

testRendering('18');
