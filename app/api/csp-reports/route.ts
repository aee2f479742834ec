import { receiveCspReport } from '@/lib/server/http/csp-reports'

export {
  receiveCspReport as DELETE,
  receiveCspReport as GET,
  receiveCspReport as PATCH,
  receiveCspReport as POST,
  receiveCspReport as PUT,
}
