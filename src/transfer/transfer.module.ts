import { DynamicModule, Module } from '@nestjs/common';
import { AccountExport } from './account-export.service';
import { AccountImport } from './account-import.service';
import { ExportRepository } from './export.repository';
import { ImportWriter } from './import-writer';
import { ImportRepository } from './import.repository';
import { ImportedPasswords } from './imported-passwords';

const shared = [AccountImport, AccountExport];

@Module({})
export class TransferModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: TransferModule,
      imports,
      providers: [...shared, ImportRepository, ExportRepository, ImportedPasswords, ImportWriter],
      exports: shared,
    };
  }
}
