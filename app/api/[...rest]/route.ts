import { respondNotFound } from '@/lib/server/http/auth-route'

export {
  respondNotFound as DELETE,
  respondNotFound as GET,
  respondNotFound as PATCH,
  respondNotFound as POST,
  respondNotFound as PUT,
}
