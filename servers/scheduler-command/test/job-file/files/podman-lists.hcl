job "pod" {
  group "g" {
    task "t" {
      driver = "podman"
      config {
        image       = "docker://redis:7"
        cap_add     = ["SYS_TIME"]
        sysctl      = { "net.core.somaxconn" = "16384" }
        tmpfs       = ["/run"]
        extra_hosts = { db = "10.0.0.1" }
      }
    }
  }
}
