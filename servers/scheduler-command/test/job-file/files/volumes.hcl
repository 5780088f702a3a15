job "stored" {
  group "g" {
    volume "data" {
      type            = "csi"
      source          = "data"
      read_only       = false
      access_mode     = "single-node-writer"
      attachment_mode = "file-system"
      mount_options {
        fs_type = "ext4"
      }
    }
    task "t" {
      driver = "docker"
      config { image = "postgres" }
      volume_mount {
        volume      = "data"
        destination = "/var/lib/postgresql"
      }
    }
  }
}
