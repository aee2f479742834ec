import { z } from 'zod'
import { objectOperation } from '@/sandbox/operation'
import { requireLinkable } from '@/sandbox/paykeys/linking-rules'
import { newId } from '@/sandbox/store/new-id'
import { initializeBody, requestedOf } from './bridge-bodies'
import { signBridgeToken } from './bridge-token'

const bridgeToken = z.strictObject({ bridge_token: z.string() }).meta({ id: 'BridgeToken', description: 'A token for the hosted page.' })

/** `POST /v1/bridge/initialize`: returns a token for the hosted page to link one customer's bank account. Changes no object. */
export const initializeBridge = objectOperation({
  id: 'bridge.initialize',
  method: 'POST',
  path: '/v1/bridge/initialize',
  summary: 'Start linking a bank account on the hosted page',
  account: 'required',
  status: 201,
  input: initializeBody,
  output: bridgeToken,
  handle: ({ sandbox, input, account, now }) => {
    const requested = requestedOf(input, account)
    const customer = requireLinkable(sandbox, requested)
    const grant = {
      ...{ jti: newId(now), customer_id: customer.id, account_id: sandbox.accounts.idOf(requested.account) },
      ...requested.config,
      external_id: requested.external_id,
    }
    return { bridge_token: signBridgeToken(sandbox, grant, now) }
  },
})
