import { CodeProofsService } from './code-proofs.service';
import { fakeArguments } from '../../test/support/service/fake';

type Parts = ConstructorParameters<typeof CodeProofsService>;

describe('CodeProofsService', () => {
  it('verifies no code within a transaction, whose rollback would undo the count', async () => {
    const proofs = new CodeProofsService(...fakeArguments<Parts>([{}, {}, {}, {}, {}, {}, { isOpen: true }]));
    const use = { purpose: 'login', channel: 'email', key: 'ann@example.com', code: '123456' } as const;
    await expect(proofs.check(use)).rejects.toThrow('must not be verified within a transaction');
  });
});
