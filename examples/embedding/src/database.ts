import { createEmbeddedPool, EmbeddedDatabase } from 'castellan';
import { Column, DataSource, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

@Entity({ name: 'invoice' })
export class Invoice {
  @PrimaryGeneratedColumn() id!: number;
  /** Id of a user of the identity service. */
  @Column({ type: 'uuid', nullable: true }) customer!: string | null;
  @Column({ type: 'int' }) cents!: number;
}

/** Hash of a user's badge number. */
@Entity({ name: 'badge' })
export class Badge {
  @PrimaryColumn('uuid') owner!: string;
  @Column({ type: 'text' }) hash!: string;
}

export interface Shop {
  readonly dataSource: DataSource;
  close(): Promise<void>;
}

/** Opens the host's database as TypeORM's default data source. The identity service has a separate one. */
export async function openShop(dataDir?: string): Promise<Shop> {
  const embedded = await EmbeddedDatabase.open(dataDir === undefined ? {} : { dataDir });
  const dataSource = new DataSource({
    type: 'postgres',
    driver: { Pool: createEmbeddedPool(embedded) },
    entities: [Invoice, Badge],
    installExtensions: false,
    synchronize: true,
  });
  await dataSource.initialize();
  const close = async (): Promise<void> => {
    await dataSource.destroy();
    await embedded.close();
  };
  return { dataSource, close };
}
