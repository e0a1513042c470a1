/** The members of an item of `GET /api/delivery` that tests read. */
export interface DeliveryItem {
  readonly id: string;
  readonly at: string;
  readonly target: string;
  readonly outcome: string;
  readonly provider: string;
  readonly provider_code: string | null;
  readonly provider_message_id: string | null;
  readonly user_id: string | null;
}

export interface DeliveryList {
  readonly items: DeliveryItem[];
  readonly next_cursor: string | null;
  readonly page_size: number;
}
