import { answerSession } from '@/lib/server/http/session-check'

export {
  answerSession as DELETE,
  answerSession as GET,
  answerSession as PATCH,
  answerSession as POST,
  answerSession as PUT,
}
