import { z } from 'zod'
import { getOwnerId } from '@/sandbox/accounts/owner'
import { defineObjectOperation, type Operation, type OperationCall } from '@/sandbox/operation'
import { requireLinkable } from '@/sandbox/paykeys/linking-rules'
import { revealPaykey } from '@/sandbox/paykeys/move-paykey'
import { type BankDetails, createPaykey } from '@/sandbox/paykeys/new-paykey'
import { type PaykeySource, revealedPaykeySchema } from '@/sandbox/paykeys/paykey-schema'
import { newId } from '@/sandbox/store/store'
import {
  bankAccountBodySchema,
  initializeBridgeBodySchema,
  plaidBodySchema,
  quilttBodySchema,
  speedchexBodySchema,
  tokenizedAccountBodySchema,
  toRequestedLink,
} from './bridge-bodies'
import { signBridgeToken } from './bridge-token'
import { makeBankAccountForToken } from './link-from-page'

const bridgeTokenSchema = z
  .strictObject({ bridge_token: z.string() })
  .meta({ id: 'BridgeToken', description: 'A token for the hosted page.' })

/** A paykey belongs to the owner of its customer. */
const linkingHeaderPolicy = { saas: 'required', marketplace: 'forbidden' } as const

/** The token opens the hosted page, where one customer links a bank account. Changes no object. */
const initializeBridgeOperation = defineObjectOperation({
  id: 'bridge.initialize',
  method: 'POST',
  path: '/v1/bridge/initialize',
  summary: 'Start linking a bank account on the hosted page',
  account: linkingHeaderPolicy,
  status: 201,
  input: initializeBridgeBodySchema,
  output: bridgeTokenSchema,
  handle: ({ sandbox, input, account, now }) => {
    const requestedLink = toRequestedLink(input, account)
    const customer = requireLinkable(sandbox, requestedLink)
    const bridgeGrant = {
      ...{
        jti: newId(now),
        customer_id: customer.id,
        account_id: getOwnerId(sandbox, requestedLink.owner),
      },
      ...requestedLink.config,
      external_id: requestedLink.external_id,
    }
    return { bridge_token: signBridgeToken(sandbox, bridgeGrant, now) }
  },
})

type BankLinkBody = z.infer<typeof initializeBridgeBodySchema> & {
  metadata?: Record<string, string> | null | undefined
}

type LinkingSpec<Input extends z.ZodType> = {
  name: string
  summary: string
  source: PaykeySource
  input: Input
  bankOf: (input: z.infer<Input>) => BankDetails
}

const makeLinkingOperation = <Input extends z.ZodType<BankLinkBody>>({
  name,
  summary,
  source,
  input,
  bankOf,
}: LinkingSpec<Input>): Operation =>
  defineObjectOperation({
    id: `bridge.${name}`,
    method: 'POST',
    path: `/v1/bridge/${name}`,
    summary,
    account: linkingHeaderPolicy,
    status: 201,
    input,
    output: revealedPaykeySchema,
    handle: (call: OperationCall<unknown, z.infer<Input>>) => {
      const linkRequest = toRequestedLink(call.input, call.account)
      const paykeyDraft = {
        ...linkRequest,
        source,
        bank: bankOf(call.input),
        metadata: call.input.metadata ?? {},
      }
      const paykeyEntry = createPaykey(call.sandbox, paykeyDraft, call.now)
      const account_id = getOwnerId(call.sandbox, linkRequest.owner)
      call.effect({
        target_id: paykeyEntry.doc.id,
        account_id,
        from: '',
        to: paykeyEntry.doc.status,
      })
      return revealPaykey(paykeyEntry)
    },
  })

/** All but `bridge.initialize` create a paykey and return it with its unmasked token. */
export const bridgeOperations: readonly Operation[] = [
  initializeBridgeOperation,
  makeLinkingOperation({
    name: 'bank_account',
    summary: 'Link a bank account by its numbers',
    source: 'bank_account',
    input: bankAccountBodySchema,
    bankOf: ({ routing_number, account_number, account_type }) => ({
      routing_number,
      account_number,
      account_type,
    }),
  }),
  makeLinkingOperation({
    name: 'tan',
    summary: 'Link a bank account by a tokenised account number',
    source: 'tan',
    input: tokenizedAccountBodySchema,
    bankOf: ({ routing_number, tan, account_type }) => ({
      routing_number,
      account_number: tan,
      account_type,
    }),
  }),
  makeLinkingOperation({
    name: 'plaid',
    summary: 'Link the bank account behind a Plaid processor token',
    source: 'plaid',
    input: plaidBodySchema,
    bankOf: ({ plaid_token }) => makeBankAccountForToken(plaid_token),
  }),
  makeLinkingOperation({
    name: 'quiltt',
    summary: 'Link the bank account behind a Quiltt token',
    source: 'quiltt',
    input: quilttBodySchema,
    bankOf: ({ quiltt_token }) => makeBankAccountForToken(quiltt_token),
  }),
  makeLinkingOperation({
    name: 'speedchex',
    summary: 'Link the bank account behind a Speedchex token',
    source: 'provider',
    input: speedchexBodySchema,
    bankOf: ({ speedchex_token }) => makeBankAccountForToken(speedchex_token),
  }),
]
