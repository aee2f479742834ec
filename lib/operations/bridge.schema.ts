import * as z from 'zod'
import { id } from './common.schema'
import { bankAccountTypes, paykeyOutcomes } from './enumerations'
import { oneOf } from './filter.schema'
import { accountNumber, externalId, metadataInput, routingNumber, textOf, verificationConfig } from './input.schema'
import { paykey } from './paykeys.schema'

const link = { customer_id: id, config: verificationConfig(paykeyOutcomes), external_id: externalId.optional() }

const typedIn = { ...link, routing_number: routingNumber, account_type: oneOf(bankAccountTypes), metadata: metadataInput }

const token = textOf(2_000, 'paste the token of the aggregator')

/** A token that lets the widget connect a bank account for one customer; it lives for hours, so it is never kept (provider facts 1.2). */
export const bridgeToken = z.object({ bridge_token: z.string().min(1) })

/**
 * What each bridge operation carries. The service answers a new paykey with its full token; our paykey has no place for one, so it ends on
 * the server.
 */
export const bridgeSchemas = {
  'bridge.initialize': { input: z.strictObject(link), output: bridgeToken },
  'bridge.bank_account': { input: z.strictObject({ ...typedIn, account_number: accountNumber }), output: paykey },
  'bridge.tan': { input: z.strictObject({ ...typedIn, tan: accountNumber }), output: paykey },
  'bridge.plaid': { input: z.strictObject({ ...link, plaid_token: token, metadata: metadataInput }), output: paykey },
  'bridge.quiltt': { input: z.strictObject({ ...link, quiltt_token: token, metadata: metadataInput }), output: paykey },
  'bridge.speedchex': { input: z.strictObject({ ...link, speedchex_token: token, metadata: metadataInput }), output: paykey },
}
