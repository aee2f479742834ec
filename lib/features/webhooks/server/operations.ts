import 'server-only'
import { AppError, type WireError } from '@/lib/errors'
import type { PageContext } from '@/lib/operations/page-context'
import type { WebhookDetail, WebhooksFilter, WebhookView } from '@/lib/operations/webhooks'
import { parseAccountId, tryParseAccountId } from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import { authorizeOperation } from '@/lib/server/http/authorize'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { parseRequestInput } from '@/lib/server/http/operation-reads'
import { toReadFailure } from '@/lib/server/http/read'
import {
  countWebhooks,
  getListRowCount,
  listWebhooks,
  readWebhook,
  reprocessWebhook,
  type WebhookCounts,
} from './webhooks'

type WebhookPageReadResult<T> =
  | ({ ok: true; readAt: string } & T)
  | { ok: false; error: WireError; requestId: string }

/** Uses the same permission check and parsing as a browser request. */
async function readWebhookData<I, T>(
  { environment }: PageContext,
  id: 'webhooks.list' | 'webhooks.read',
  inputFields: Record<string, unknown>,
  readPageData: (input: I) => Promise<T>,
): Promise<WebhookPageReadResult<T>> {
  const actor = await getCurrentActor()
  try {
    if (!actor) throw new AppError('unauthenticated', 'Your session has ended: sign in again')
    const operationRequest = {
      actor,
      environment,
      id,
      account: null,
      target: null,
      params: {},
      fields: async () => inputFields,
    }
    await authorizeOperation(operationRequest.actor, {
      ...operationRequest,
      operation: operationRequest.id,
    })
    const pageData = await readPageData((await parseRequestInput(operationRequest, null)) as I)
    return { ok: true, readAt: new Date().toISOString(), ...pageData }
  } catch (error) {
    return toReadFailure(error, { name: id, actor, environment })
  }
}

export type WebhooksReadResult = WebhookPageReadResult<{
  webhooks: WebhookView[]
  total: number
  counts: WebhookCounts
}>

/** `fields`: the filter and paging, from the URL. */
export const readWebhooksPage = (
  context: PageContext,
  fields: Record<string, unknown>,
): Promise<WebhooksReadResult> =>
  readWebhookData(context, 'webhooks.list', fields, async (filter: WebhooksFilter) => {
    const { environment } = context
    const webhooksQuery = { ...filter, account: tryParseAccountId(context.account) }
    const [webhooks, counts] = await Promise.all([
      listWebhooks(environment, webhooksQuery),
      countWebhooks(environment, webhooksQuery),
    ])
    return { webhooks, counts, total: getListRowCount(counts, filter) }
  })

export const readWebhookPage = (
  context: PageContext,
  id: string,
): Promise<WebhookPageReadResult<{ webhook: WebhookDetail }>> =>
  readWebhookData(context, 'webhooks.read', { id }, async (input: { id: string }) => ({
    webhook: await readWebhook(context.environment, input.id),
  }))

export const webhookHandlers: DeskOperationHandlers<
  'webhooks.list' | 'webhooks.read' | 'webhooks.process'
> = {
  'webhooks.list': async ({ environment, account, input }) => {
    const webhookListQuery = { ...input, account: account && parseAccountId(account) }
    const [data, counts] = await Promise.all([
      listWebhooks(environment, webhookListQuery),
      countWebhooks(environment, webhookListQuery),
    ])
    return {
      data,
      meta: {
        page_number: input.page_number,
        page_size: input.page_size,
        total_items: getListRowCount(counts, input),
      },
    }
  },
  'webhooks.read': async ({ environment, input }) => ({
    data: await readWebhook(environment, input.id),
  }),
  'webhooks.process': async ({ actor, environment, input }) => ({
    data: await reprocessWebhook(actor, environment, input.id),
  }),
}
