import { serveForgotPassword } from '@/lib/server/http/forgot-password'

export { serveForgotPassword as POST }
