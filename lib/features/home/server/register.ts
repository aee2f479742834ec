import 'server-only'
import { registerAfterWrites } from '@/lib/server/http/registration'
import { forgetHeldFacts } from './memory'

// A hold may have another reason now, or none.
registerAfterWrites(forgetHeldFacts)
