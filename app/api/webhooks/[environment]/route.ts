import { receiveWebhook } from '@/lib/server/webhooks/receive'

export {
  receiveWebhook as DELETE,
  receiveWebhook as GET,
  receiveWebhook as PATCH,
  receiveWebhook as POST,
  receiveWebhook as PUT,
}
