import * as z from 'zod'
import { device, hidden, id, maskedEmail, maskedPhone, maybe, maybeTimestamp, metadata, text } from './common.schema'
import { customerDecision, customerUpdate, newCustomer } from './customer-input.schema'
import { identityDetails } from './customer-review.schema'
import { customerStatuses, customerTypes } from './enumerations'
import { paging, shortText, someOf, timeBound } from './filter.schema'

/** A customer as a list shows it: contact data in part (provider facts 2.10). */
export const customerSummary = z.object({
  id,
  name: z.string(),
  type: text,
  email: maskedEmail,
  phone: maskedPhone,
  status: z.string(),
  external_id: text,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

/** A customer in a list. */
export type CustomerSummary = z.output<typeof customerSummary>

/** A customer, masked: no address lines, no numbers of identity, contact data in part (interface document, "Customer"). */
export const customer = customerSummary.extend({
  address: maybe(z.object({ city: text, state: text })),
  compliance_profile: maybe(
    z.object({
      ssn: hidden('***-**-****'),
      dob: hidden('****-**-**'),
      ein: hidden('**-*******'),
      legal_business_name: text,
      website: text,
      representatives: maybe(z.array(z.object({ name: text, email: maskedEmail, phone: maskedPhone }))),
    }),
  ),
  device,
  config: maybe(z.object({ sandbox_outcome: text, processing_method: text })),
  metadata,
})

/** A customer as the browser sees it. */
export type Customer = z.output<typeof customer>

/** What the other reads hide of a customer, and nothing else but who it is: contact, address, identity, and the address of the device. */
export const unmaskedCustomer = z.object({
  id,
  name: z.string(),
  email: text,
  phone: text,
  address: maybe(z.object({ address1: text, address2: text, city: text, state: text, zip: text })),
  compliance_profile: maybe(
    z.object({
      ssn: text,
      dob: text,
      ein: text,
      legal_business_name: text,
      website: text,
      representatives: maybe(z.array(z.object({ name: text, email: text, phone: text }))),
    }),
  ),
  device: maybe(z.object({ ip_address: text })),
})

/** A customer unmasked. */
export type UnmaskedCustomer = z.output<typeof unmaskedCustomer>

/** A customer with the evidence of its verification; none while no verification has run. */
export const customerReview = z.object({ customer_details: customer, identity_details: maybe(identityDetails) })

/** A customer with its evidence. */
export type CustomerReview = z.output<typeof customerReview>

/** Every filter of the list (provider facts 1.1) save the e-mail, which has no place in a URL. */
export const customersFilter = z.strictObject({
  ...paging(['created_at', 'name'], 'created_at'),
  created_from: timeBound,
  created_to: timeBound,
  name: shortText,
  external_id: shortText,
  status: someOf(customerStatuses),
  types: someOf(customerTypes),
  search_text: shortText,
})

/** The one search that takes an e-mail; our own API has no route for it, see `lib/server/find`. */
const byEmail = z.strictObject({ email: z.email('must be an e-mail address').max(254), page_size: z.literal(20).default(20) })

const one = z.strictObject({ id })

/** What each customer operation carries. */
export const customerSchemas = {
  'customers.list': { input: customersFilter, output: z.array(customerSummary) },
  'customers.by_email': { input: byEmail, output: z.array(customerSummary) },
  'customers.get': { input: one, output: customer },
  'customers.unmask': { input: one, output: unmaskedCustomer },
  'customers.review': { input: one, output: customerReview },
  'customers.create': { input: newCustomer, output: customer },
  'customers.update': { input: customerUpdate, output: customer },
  'customers.delete': { input: one, output: customer },
  'customers.decide': { input: customerDecision, output: customer },
  'customers.refresh_review': { input: one, output: customer },
}
