import { Body, Get, Injectable, Param, Post } from '@nestjs/common';
import {
  CurrentCaller,
  defineErrors,
  defineSetting,
  IdField,
  integer,
  IntegerField,
  OwnedBy,
  OwnershipRule,
  RequirePermission,
  ServiceController,
  SettingsReader,
  Authenticated,
} from 'castellan';
import type { Caller } from 'castellan';
import { DataSource } from 'typeorm';
import { Invoice } from './database';

export const billingErrors = defineErrors({ unknownInvoice: 404 });

/** Appears among the settings of the service. A change applies within a second. */
export const mostCents = defineSetting({
  key: 'billing.most_cents',
  defaultValue: 1_000_000,
  kind: integer({ minimum: 1, maximum: 1_000_000_000 }),
  sensitive: false,
});

const isNumber = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text);

/** The customer of an invoice is its owner. */
@Injectable()
export class OwnInvoice extends OwnershipRule {
  constructor(private readonly database: DataSource) {
    super();
  }

  async isOwner({ userId }: Caller, { id = '' }: Readonly<Record<string, string>>): Promise<boolean> {
    if (!isNumber(id)) return false;
    return this.database.getRepository(Invoice).existsBy({ id: Number(id), customer: userId });
  }
}

class NewInvoiceDto {
  @IdField({ description: 'The user who is to pay' }) customer!: string;
  @IntegerField({ description: 'The sum in cents', min: 1, max: 1_000_000_000 }) cents!: number;
}

@ServiceController('billing/invoices')
export class InvoicesController {
  constructor(
    private readonly database: DataSource,
    private readonly settings: SettingsReader,
  ) {}

  @Get()
  @RequirePermission('billing:invoice:read')
  list(): Promise<Invoice[]> {
    return this.database.getRepository(Invoice).find({ order: { id: 'ASC' } });
  }

  @Get('mine')
  @Authenticated()
  mine(@CurrentCaller() { userId }: Caller): Promise<Invoice[]> {
    return this.database.getRepository(Invoice).findBy({ customer: userId });
  }

  @Get(':id')
  @RequirePermission('billing:invoice:read')
  @OwnedBy(OwnInvoice)
  async show(@Param('id') id: string): Promise<Invoice> {
    const invoice = isNumber(id) ? await this.database.getRepository(Invoice).findOneBy({ id: Number(id) }) : null;
    if (!invoice) throw billingErrors.unknownInvoice();
    return invoice;
  }

  @Post()
  @RequirePermission('billing:invoice:create')
  async create(@Body() { customer, cents }: NewInvoiceDto): Promise<Invoice> {
    const sum = Math.min(cents, await this.settings.get(mostCents));
    return this.database.getRepository(Invoice).save({ customer, cents: sum });
  }
}
