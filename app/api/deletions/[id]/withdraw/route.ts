import { serveDeletionWithdrawal } from '@/lib/server/deletion-serve'

export { serveDeletionWithdrawal as POST }
