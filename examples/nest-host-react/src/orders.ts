import { Delete, Get, HttpCode, Injectable, Param } from '@nestjs/common';
import { Authenticated, defineProblem, InOrganization, RequirePermission, ServiceController } from 'castellan';

export interface Order {
  readonly id: string;
  readonly item: string;
}

const orderMissing = defineProblem('order_missing', {
  status: 404,
  en: 'The order does not exist any more.',
  zh: '该订单已不存在。',
});

/** A table of yours. */
@Injectable()
export class OrderBook {
  private readonly orders = new Map([
    ['1', 'Tea'],
    ['2', 'Coffee'],
  ]);

  list(): Order[] {
    return [...this.orders].map(([id, item]) => ({ id, item }));
  }

  remove(id: string): boolean {
    return this.orders.delete(id);
  }
}

@ServiceController('shop/orders')
export class OrdersController {
  constructor(private readonly orders: OrderBook) {}

  @Get()
  @Authenticated()
  list(): { items: Order[] } {
    return { items: this.orders.list() };
  }

  @Delete(':id')
  @HttpCode(204)
  @RequirePermission('shop:order:delete')
  @InOrganization()
  remove(@Param('id') id: string): void {
    if (!this.orders.remove(id)) throw orderMissing();
  }
}
