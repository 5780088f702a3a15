export {
  isAlive,
  readOwner,
  selfAsOwner,
  systemProcesses,
  writeOwner,
  type Owner,
  type Processes,
} from '@tamis/http';
