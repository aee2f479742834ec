/** For whom a bank account is connected, and what stands against it. */
export type LinkPlace = {
  customer: { id: string; name: string; status: string }
  /** The customer's account, `acct_…`; null while it is not known. */
  account: string | null
  ownerWhy: string | null
  /** Why this customer cannot connect one; null where they can. */
  closed: string | null
}
