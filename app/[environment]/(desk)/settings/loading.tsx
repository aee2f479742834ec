import { SettingsSkeleton } from '@/components/settings/settings'

export default SettingsSkeleton
