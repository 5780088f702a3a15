job "odd-drivers" {
  group "java" {
    task "j" {
      driver = "java"
      config {
        jar_path    = "local/app.jar"
        jvm_options = ["-Xmx1g", "-Xms256m"]
      }
    }
  }
  group "vm" {
    task "q" {
      driver = "qemu"
      config {
        image_path  = "local/linux.img"
        accelerator = "kvm"
        args        = ["-nodefaults"]
      }
    }
  }
}
