job "plugin" {
  type = "system"
  group "g" {
    task "node" {
      driver = "docker"
      config {
        image      = "csi"
        privileged = true
      }
      csi_plugin {
        id        = "nfs"
        type      = "node"
        mount_dir = "/csi"
      }
    }
  }
}
